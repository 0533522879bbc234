/** The script of every page: copy buttons, the search, and the worker that keeps the site for reading offline. */
/// <reference lib="dom" />
import "../../../src/server/pages/scripts/copy.ts";
import "./search.ts";
import { findWorker } from "./site_worker.ts";

// A page that is opened as a file has no workers, and needs none.
if (location.protocol !== "file:") navigator.serviceWorker?.register(findWorker()).catch(() => {});
