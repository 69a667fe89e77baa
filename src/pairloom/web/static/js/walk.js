// The walkthrough, once it is there: later.js fetches this when it is opened first, alone or beside the lesson, whose
// scripts drive it.

import { start as startStepping } from "./stepping.js";
import { start as startWalkRequests } from "./walk_requests.js";
import { start as startWalkthrough } from "./walkthrough.js";

export function start(takesText) {
  startStepping();
  startWalkRequests();
  startWalkthrough(takesText);
}
