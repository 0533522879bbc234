/** The English words of the search. */

export const englishSearch = {
  heading: "Search",
  label: "A name, an id, an error or a rule",
  send: "Search",
  nothing: (query: string): string => `Nothing was found for “${query}”.`,
  looksAt:
    "The search looks for each word in the names of pages, in the names and ids of clients, people and misbehaviours, in the reasons of refusals, and in what the list of requests shows. It finds a request by its id, too.",
  filter: "Filter the requests by these words",
  kinds: {
    page: "Pages",
    client: "Clients",
    person: "People",
    reason: "Reasons of refusals",
    misbehaviour: "Misbehaviours",
    rule: "Rules that requests broke",
    request: "Requests",
  },
  columns: {
    page: ["Page"],
    client: ["Client", "Client id"],
    person: ["Person", "Username"],
    reason: ["Reason", "Name", "Requests"],
    misbehaviour: ["Misbehaviour", "What the server does"],
    rule: ["Rule"],
  },
} as const;
