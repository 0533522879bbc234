/** The English words of the search. */

export const englishSearch = {
  heading: "Search",
  label: "A name, an id, an error or a rule",
  send: "Search",
  nothing: (query: string): string => `Nothing was found for “${query}”.`,
  foreign: "The text is a token of no login of this server.",
  takeApart: "Take it apart",
  looksAt:
    "The search looks for words that begin so in the names of pages, in the names and ids of clients, people and misbehaviours, in the reasons of refusals, and in what the list of requests shows. It finds a request by its id, too.",
  more: (count: number): string => `${count} more`,
  filter: "Filter the requests by these words",
  allRequests: "There are more: all requests with these words",
  kinds: {
    page: "Pages",
    client: "Clients",
    person: "People",
    reason: "Reasons of refusals",
    misbehaviour: "Misbehaviours",
    rule: "Rules that requests broke",
    request: "Requests",
  },
  /** By the names of the pages. */
  actions: {
    playground: "get a token, read one, write a request",
    inspector: "see each request, why it was refused, and its tokens; compare tokens, copy as curl",
    people: "see who is signed in, add a person, end all access, sign out, revoke grants",
    clients: "begin a sign-in, revoke grants",
    control: "send a call of the control plane",
    misbehaviours: "switch a misbehaviour on or off",
    clock: "turn or stop the clock, make it late, let tokens expire",
    gates: "hold, delay or drop requests",
    look_alikes: "answer as a provider does",
    examine: "try what an application checks",
  } as Readonly<Record<string, string>>,
  columns: {
    page: { title: "Page", about: "What for" },
    client: { title: "Client", id: "Client id" },
    person: { title: "Person", id: "Username" },
    reason: { title: "Reason", id: "Name", about: "Requests" },
    misbehaviour: { title: "Misbehaviour", about: "What the server does" },
    rule: { title: "Rule" },
  },
} as const;
