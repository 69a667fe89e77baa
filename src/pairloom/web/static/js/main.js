// The page's own JavaScript: only what the browser alone knows. Everything that is shown comes rendered from the server.

import { start as startFields } from "./fields.js";
import { start as startJobs } from "./jobs.js";
import { start as startRequests } from "./requests.js";
import { start as startSelection } from "./selection.js";

startJobs();
startFields();
startSelection();
startRequests();
