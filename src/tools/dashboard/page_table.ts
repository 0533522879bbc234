/** The pages of the dashboard. A page is a folder and a line of this table. They are loaded with the first one. */

import type { AnswerPage } from "./page.ts";

export interface DashboardPage {
  /** Its path is the name below the path of the issuer: `/inspector`. */
  readonly name: string;
  /** The text of its link in the frame. Absent: the frame has no link to it. */
  readonly link?: string;
  readonly load: () => Promise<AnswerPage>;
}

const importPages = () => import("./pages.ts");

/** In the order of their links. */
export const dashboardPages: readonly DashboardPage[] = [
  { name: "playground", link: "Playground", load: async () => (await importPages()).answerPlayground },
  { name: "inspector", link: "Inspector", load: async () => (await importPages()).answerInspector },
  { name: "people", link: "People", load: async () => (await importPages()).answerPeople },
  { name: "clients", link: "Clients", load: async () => (await importPages()).answerClients },
  {
    name: "misbehaviours",
    link: "Misbehaviours",
    // With the catalogue and the examinations, this page alone is as large as all others.
    load: async () => (await import("./misbehaviours/misbehaviours.ts")).createMisbehaviours(),
  },
  { name: "search", load: async () => (await importPages()).answerSearch },
  { name: "session", load: async () => (await importPages()).answerSession },
];

export function findPage(name: string): DashboardPage | undefined {
  return dashboardPages.find((page) => page.name === name);
}
