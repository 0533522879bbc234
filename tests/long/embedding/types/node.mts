/** Node only: its test runner proves a store. */

import { test } from "node:test";
import { prove } from "./server_uses.mts";

prove(test);
