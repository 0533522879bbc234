/** The pages of the dashboard. A page is loaded when a person opens it first. */

import type { AnswerPage, PageName } from "./page.ts";

const loaders: Readonly<Partial<Record<PageName, () => Promise<AnswerPage>>>> = {
  inspector: async () => (await import("./inspector/inspector.ts")).answerInspector,
  playground: async () => (await import("./playground/playground.ts")).answerPlayground,
  people: async () => (await import("./directory/people.ts")).answerPeople,
  clients: async () => (await import("./directory/clients.ts")).answerClients,
  misbehaviours: async () => (await import("./misbehaviours/misbehaviours.ts")).createMisbehaviours(),
  search: async () => (await import("./search.ts")).answerSearch,
  session: async () => (await import("./session_page.ts")).answerSession,
};

/** The pages that the frame links to, in its order. */
const linked = ["playground", "inspector", "people", "clients", "misbehaviours"] as const;

export const framedPages: readonly (typeof linked[number])[] = linked.filter((name) => loaders[name]);

/** Returns the function that loads a page. */
export function findPage(name: string): (() => Promise<AnswerPage>) | undefined {
  return Object.hasOwn(loaders, name) ? loaders[name as PageName] : undefined;
}
