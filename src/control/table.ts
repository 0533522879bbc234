/** Everything that can be done over HTTP, one row each: the rows make the routes and the OpenAPI document. */

import type { Schema } from "../schema/schema.ts";
import type { TimelineForm } from "../mock/journal/timeline.ts";
import { type ClockBody, moveClock, showClock } from "./clock_calls.ts";
import { clients, type EnvironmentQuery, people, showEnvironment } from "./directory_calls.ts";
import {
  describeGate,
  describeHook,
  type GateQuery,
  makeGate,
  makeHook,
  releaseGate,
  removeGate,
  removeHook,
  watchGate,
} from "./gate_calls.ts";
import { listRequests, type RequestsQuery, showTimeline, timelineMediaTypes } from "./journal_calls.ts";
import type { GateAsked, HookAsked } from "./room.ts";
import { type ControlRoute, route } from "./route.ts";
import {
  changesOf,
  client,
  clock,
  closed,
  countable,
  duration,
  endpointName,
  entryOf,
  flag,
  forgeryName,
  freezing,
  gate,
  gateKind,
  gateTerms,
  givenTokens,
  hook,
  hookBody,
  listOf,
  members,
  mintTerms,
  moment,
  open,
  person,
  personTerms,
  recordedRequest,
  resource,
  scope,
  scopeAgain,
  server,
  text,
  timelineForm,
  tokens,
  username,
  verdict,
  wait,
} from "./schemas.ts";
import { listTenants, removeTenant, reset, showIssuer } from "./tenant_calls.ts";
import {
  answerAuthorize,
  answerNext,
  type AuthorizeBody,
  endSession,
  type EndSessionBody,
  type ExpireBody,
  expireTokens,
  type ForgeBody,
  forgeToken,
  logIn,
  type LoginBody,
  type MintBody,
  mintToken,
  type NextBody,
  type RefreshBody,
  refreshTokens,
  type RevokeBody,
  revokeTokens,
} from "./token_calls.ts";

const raw: Schema = { ...flag, description: "true: with the secrets." };
const exampleClient = { client_id: "shop", redirect_uris: ["https://shop.test/callback"] };
const exampleToken = "a token that this server gave";
const givenToken: Schema = open({ token: text });

export const controlTable: readonly ControlRoute[] = [
  route({
    method: "GET",
    path: "",
    name: "showServer",
    summary: "The issuer.",
    schema: { answer: { schema: server } },
    call: showIssuer,
  }),
  route({
    method: "GET",
    path: "/tenants",
    only: "server",
    name: "listTenants",
    summary: "The names of the tenants that were made here.",
    schema: { answer: { schema: listOf("tenants", text) } },
    call: listTenants,
  }),
  route({
    method: "POST",
    path: "",
    only: "tenant",
    name: "makeTenant",
    summary: "Makes a tenant that is not there, as every other POST below it does, unless it is refused.",
    schema: { answer: { schema: server } },
    call: showIssuer,
  }),
  route({
    method: "DELETE",
    path: "",
    only: "tenant",
    name: "removeTenant",
    summary:
      "Lets go whoever waits at the tenant's gates, and forgets it: the next of this name is a new one.",
    schema: {},
    call: removeTenant,
  }),

  route({
    method: "GET",
    path: "/clock",
    name: "showClock",
    summary: "What time it is here.",
    schema: { answer: { schema: clock } },
    call: showClock,
  }),
  route<ClockBody>({
    method: "POST",
    path: "/clock",
    name: "moveClock",
    summary:
      "Advances, sets, freezes or resumes the clock, or makes the server's wrong: one of these at a time.",
    schema: {
      body: closed({
        advance: { ...duration, description: `Forward. ${duration.description}` },
        set: moment,
        freeze: freezing,
        resume: { ...flag, description: "true: it runs on." },
        skew: {
          ...duration,
          description: `The server is ahead, or behind when negative. ${duration.description}`,
        },
      }, { example: { advance: "1h" } }),
      answer: { schema: clock },
    },
    call: moveClock,
  }),

  route<unknown, { readonly raw?: boolean }>({
    method: "GET",
    path: "/people",
    name: "listPeople",
    summary: "Who can sign in.",
    schema: { query: closed({ raw }), answer: { schema: listOf("people", person) } },
    call: people.list,
  }),
  route<Parameters<typeof people.add>[0]["body"]>({
    method: "POST",
    path: "/people",
    name: "addPerson",
    summary: "Adds somebody.",
    schema: {
      body: entryOf("people", { username: "carol", claims: { name: "Carol Clark" } }),
      answer: { status: 201, schema: person },
    },
    call: people.add,
  }),
  route<Parameters<typeof people.change>[0]["body"]>({
    method: "PATCH",
    path: "/people/{username}",
    name: "changePerson",
    summary: "Changes what is said, and leaves the rest.",
    schema: {
      body: changesOf("people", { claims: { name: "Alice Abbot" } }),
      answer: { schema: person },
    },
    call: people.change,
  }),
  route({
    method: "DELETE",
    path: "/people/{username}",
    name: "removePerson",
    summary: "Removes somebody, and with them what they had.",
    schema: {},
    call: people.remove,
  }),

  route<unknown, { readonly raw?: boolean }>({
    method: "GET",
    path: "/clients",
    name: "listClients",
    summary: "The configured clients.",
    schema: { query: closed({ raw }), answer: { schema: listOf("clients", client) } },
    call: clients.list,
  }),
  route<Parameters<typeof clients.add>[0]["body"]>({
    method: "POST",
    path: "/clients",
    name: "addClient",
    summary: "Adds a client, in the words of RFC 7591.",
    schema: { body: entryOf("clients", exampleClient), answer: { status: 201, schema: client } },
    call: clients.add,
  }),
  route<Parameters<typeof clients.change>[0]["body"]>({
    method: "PATCH",
    path: "/clients/{client_id}",
    name: "changeClient",
    summary: "Changes what is said, and leaves the rest.",
    schema: {
      body: changesOf("clients", { client_name: "The shop" }),
      answer: { schema: client },
    },
    call: clients.change,
  }),
  route({
    method: "DELETE",
    path: "/clients/{client_id}",
    name: "removeClient",
    summary: "Removes a client, and with it what it had.",
    schema: {},
    call: clients.remove,
  }),

  route<LoginBody>({
    method: "POST",
    path: "/login",
    name: "login",
    summary: "A whole flow with PKCE: somebody signs in and approves, and the client gets its tokens.",
    schema: {
      body: closed({
        username: { ...text, description: "Default: the first person." },
        client: { ...text, description: "Default: the first one that people can sign in to." },
        redirectUri: text,
        scope,
        resource,
        prompt: text,
        nonce: text,
        clientKey: { ...members, description: "The private JWK of a client with private_key_jwt." },
        params: { ...members, additionalProperties: { type: "string" } },
        ...personTerms,
      }, { example: { username: "bob", scope: "openid offline_access" } }),
      answer: { schema: tokens },
    },
    call: logIn,
  }),
  route<AuthorizeBody>({
    method: "POST",
    path: "/authorize",
    name: "authorize",
    summary: "Plays the browser for a client's own authorization URL: the request that the client gets.",
    schema: {
      body: closed({ url: text, username, ...personTerms }, {
        required: ["url"],
        example: { url: "https://as.test/oauth2/authorize?client_id=app", username: "bob" },
      }),
      alsoCalled: { as: "username" },
      answer: {
        schema: open({
          method: text,
          url: text,
          form: { ...members, description: "With response_mode=form_post." },
        }, ["method", "url"]),
      },
    },
    call: answerAuthorize,
  }),
  route<NextBody>({
    method: "POST",
    path: "/next_sign_in",
    name: "nextSignIn",
    summary: "Answers the next authorization request of a client, or of any, without a page.",
    schema: {
      body: closed({ username, deny: { ...flag, description: "true: a no." }, client: text }, {
        example: { username: "bob" },
      }),
      alsoCalled: { person: "username" },
    },
    call: answerNext,
  }),
  route<RefreshBody>({
    method: "POST",
    path: "/refresh",
    name: "refresh",
    summary: "New tokens for a refresh token.",
    schema: {
      body: {
        ...open({
          ...givenTokens,
          scope: scopeAgain,
          resource,
          client: text,
          clientKey: members,
        }, ["refresh_token"]),
        examples: [{ refresh_token: exampleToken }],
      },
      answer: { schema: tokens },
    },
    call: refreshTokens,
  }),
  route<RevokeBody>({
    method: "POST",
    path: "/revoke",
    name: "revoke",
    summary: "Revokes a token, or the refresh token of an answer and all that it gave.",
    schema: {
      body: {
        ...open({ token: text, ...givenTokens, client: text, clientKey: members }, []),
        examples: [{ token: exampleToken }],
      },
    },
    call: revokeTokens,
  }),
  route<EndSessionBody>({
    method: "POST",
    path: "/end_session",
    name: "endSession",
    summary:
      "The person signs out at the server, in the browser that is named, or that login got these tokens in.",
    schema: {
      body: {
        ...open({
          ...givenTokens,
          browser: { ...text, description: "A name that was given to login or authorize." },
        }, []),
        examples: [{ id_token: exampleToken }],
      },
    },
    call: endSession,
  }),
  route<MintBody>({
    method: "POST",
    path: "/mint",
    name: "mint",
    summary: "A valid token without a flow.",
    schema: {
      body: closed({ kind: { type: "string", enum: ["access", "id", "refresh"] }, ...mintTerms }, {
        example: { username: "bob", claims: { role: "admin" }, expiresIn: "5m" },
      }),
      alsoCalled: { person: "username" },
      answer: { schema: givenToken },
    },
    call: mintToken,
  }),
  route<ExpireBody>({
    method: "POST",
    path: "/expire",
    name: "expire",
    summary: "A token, or all of an answer, as it is once it has expired; the clock stays.",
    schema: {
      body: {
        ...open({ token: text, ...givenTokens }, []),
        examples: [{ token: exampleToken }],
      },
      answer: { schema: open({ token: text, ...tokens.properties }, []) },
    },
    call: expireTokens,
  }),
  route<ForgeBody>({
    method: "POST",
    path: "/forge",
    name: "forge",
    summary: "A bad token by its name, and what a resource server has to answer to it.",
    schema: {
      body: closed({ name: forgeryName, ...mintTerms }, {
        required: ["name"],
        example: { name: "wrong-audience" },
      }),
      alsoCalled: { person: "username" },
      answer: {
        schema: open({
          name: forgeryName,
          token: text,
          verdict,
        }),
      },
    },
    call: forgeToken,
  }),

  route({
    method: "GET",
    path: "/gates",
    name: "listGates",
    summary: "The gates, delays and drops that were made here.",
    schema: { answer: { schema: listOf("gates", gate) } },
    call: ({ room }) => ({ json: { gates: room.gates.list().map(describeGate) } }),
  }),
  route<GateAsked>({
    method: "POST",
    path: "/gates",
    name: "makeGate",
    summary: "Requests of an endpoint are held, come late, or lose their answers after the work is done.",
    schema: {
      body: closed({
        endpoint: endpointName,
        kind: gateKind,
        ...gateTerms,
      }, { required: ["endpoint", "kind"], example: { endpoint: "userinfo", kind: "hold", count: 2 } }),
      answer: { status: 201, schema: gate },
    },
    call: makeGate,
  }),
  route<unknown, GateQuery>({
    method: "GET",
    path: "/gates/{gate}",
    name: "watchGate",
    summary: "How many wait at a gate, and whether so many have come since it was made.",
    schema: {
      query: closed({
        arrived: { ...countable, description: "How many must have come. Default: 1." },
        wait,
      }),
      answer: { schema: { ...gate, properties: { ...gate.properties, arrived: flag } } },
    },
    call: watchGate,
  }),
  route<{ readonly index?: number }>({
    method: "POST",
    path: "/gates/{gate}/release",
    name: "releaseGate",
    summary: "Lets one request go, or all, and all that come later.",
    schema: {
      body: closed({ index: { ...countable, description: "1 is the first that came." } }, {
        example: { index: 1 },
      }),
    },
    call: releaseGate,
  }),
  route({
    method: "DELETE",
    path: "/gates/{gate}",
    name: "removeGate",
    summary: "Lets go whoever waits, and holds nobody any more.",
    schema: {},
    call: removeGate,
  }),

  route({
    method: "GET",
    path: "/hooks",
    name: "listHooks",
    summary: "The hooks that were made here, and how often each was used.",
    schema: { answer: { schema: listOf("hooks", hook) } },
    call: ({ room }) => ({ json: { hooks: room.hooks.list().map(describeHook) } }),
  }),
  route<HookAsked>({
    method: "POST",
    path: "/hooks",
    name: "makeHook",
    summary: "Changes what is said on its way out, by a merge patch (RFC 7396): null takes a member away.",
    schema: {
      body: hookBody,
      alsoCalled: { person: "username" },
      answer: { status: 201, schema: hook },
    },
    call: makeHook,
  }),
  route({
    method: "DELETE",
    path: "/hooks/{hook}",
    name: "removeHook",
    summary: "Things are said as they are again.",
    schema: {},
    call: removeHook,
  }),

  route<unknown, RequestsQuery>({
    method: "GET",
    path: "/requests",
    name: "listRequests",
    summary:
      "What was asked and answered, with the facts that the server found out; at once, or when there is something.",
    schema: {
      query: closed({
        endpoint: endpointName,
        client: text,
        after: { ...text, description: "The id of the last one that is known already." },
        wait,
        raw,
      }),
      answer: {
        schema: open({
          requests: {
            type: "array",
            items: recordedRequest,
          },
          dropped: {
            type: "integer",
            description:
              "How many are gone because newer ones needed their place: at most 10,000 are kept, " +
              "of 32 million characters together.",
          },
        }),
      },
    },
    call: listRequests,
  }),
  route<unknown, { readonly form?: TimelineForm }>({
    method: "GET",
    path: "/timeline",
    name: "showTimeline",
    summary: "What happened, without secrets: lines of text or JSON, a HAR file, or a diagram.",
    schema: {
      query: closed({ form: timelineForm }),
      answer: { types: timelineMediaTypes, schema: { description: "As the form says." } },
    },
    call: showTimeline,
  }),
  route({
    method: "GET",
    path: "/explain",
    name: "explain",
    summary: "The last refusal and the last advice: the rule, what was expected, and what came.",
    schema: {
      answer: {
        schema: open({
          explanation: { ...text, description: "Left out: there is no refusal and no advice." },
        }, []),
      },
    },
    call: ({ tenant }) => ({ json: { explanation: tenant.explain() } }),
  }),
  route<unknown, EnvironmentQuery>({
    method: "GET",
    path: "/env",
    name: "describeEnvironment",
    summary: "What an application is configured with, as environment variables.",
    schema: {
      query: closed({ client: text, raw }),
      answer: {
        schema: { ...open({ OAUTH_ISSUER: text, OAUTH_CLIENT_ID: text }), additionalProperties: text },
      },
    },
    call: showEnvironment,
  }),
  route({
    method: "POST",
    path: "/reset",
    name: "reset",
    summary:
      "Everything is as it was at the start: records, people, clients, clock, journal, hooks and gates; at the server itself its tenants are gone, too.",
    schema: {},
    call: reset,
  }),
];
