/** The dashboard of a server inside a program or a test: `/inspector` and the other pages of `postern start`. */

// The types that occur in the arguments.
export type * from "../../kit/mod.ts";
export {
  type MockDashboardTerms,
  openDashboard,
  type OpenedDashboard,
  type ServerDashboardTerms,
} from "./open_dashboard.ts";
