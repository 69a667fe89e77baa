// The page's own JavaScript: only what the browser alone knows. Everything that is shown comes rendered from the server.

import { start as startComposition } from "./composition.js";
import { start as startCopying } from "./copying.js";
import { start as startCurve } from "./curve.js";
import { start as startDeeper } from "./deeper.js";
import { start as startDiscarded } from "./discarded.js";
import { start as startFields } from "./fields.js";
import { start as startFiles } from "./files.js";
import { start as startFresh } from "./fresh.js";
import { start as startJobs } from "./jobs.js";
import { start as startLanguage } from "./language.js";
import { start as startLater } from "./later.js";
import { start as startPrinting } from "./printing.js";
import { start as startRequests } from "./requests.js";
import { start as startRows } from "./rows.js";
import { start as startSaved } from "./saved.js";
import { start as startSelection } from "./selection.js";
import { start as startViews } from "./views.js";

// Before everybody else who listens to edits.
startComposition();
startJobs();
startDiscarded();
startSaved();
startFields();
startFiles();
startSelection();
startCurve();
startFresh();
startRows();
startRequests();
startCopying();
startDeeper();
startPrinting();
startViews();
startLanguage();
startLater();
