/** The functions that answer the pages, in one module that is loaded late. `page_table.ts` has their names and links. */

export { answerClients } from "./directory/clients.ts";
export { answerPeople } from "./directory/people.ts";
export { answerInspector } from "./inspector/inspector.ts";
export { answerPlayground } from "./playground/playground.ts";
export { answerSearch } from "./search/search.ts";
export { answerSession } from "./session/answer_session.ts";
