/** Wrong answers to device logins (RFC 8628). */

import { answerGrant, changeJson, deviceGrantType, htmlPage, refusalAnswer, removing } from "../changes.ts";
import { any, callsOtherServer, redeems, to, usesReceivedToken } from "../finds.ts";
import { type Find, orderByArrival, type Seen } from "../seen.ts";
import { type FaultsOf, faultsOf } from "../faults_of.ts";

const polls: Find = redeems(deviceGrantType);

/** The device code has got a final answer, so the client must not send it again. */
const repeatsDeviceCode: Find = (later, [first]) =>
  polls(later, []).filter((seen) => first !== undefined && codeOf(seen) === codeOf(first));

export const device: FaultsOf<"device"> = faultsOf("device", {
  level: "hardening",
  phase: "login",
  needs: ["device"],
}, {
  complete_uri_foreign: {
    server: "The address that fills in the code, verification_uri_complete, is at another server.",
    client: "Does not open the address and does not show it.",
    rule: "RFC 8628 §3.3.1, §5.4 (no rule obliges the client)",
    watch: { never: callsOtherServer },
    acts: changeJson("device_authorization", (members, { otherServer }) => ({
      ...members,
      verification_uri_complete: `${otherServer}/device?user_code=${members["user_code"]}`,
    })),
  },
  expired_early: {
    level: "must",
    server: "The token endpoint says expired_token at the first poll, although expires_in is not over.",
    client: "Stops polling, and begins a new device login at most.",
    rule: "RFC 8628 §3.5",
    watch: {
      never: repeatsDeviceCode,
      sign: to("device_authorization"),
      signSays: "began a new device login",
      refusalSays: "stopped polling",
    },
    acts: answerGrant(deviceGrantType, refusalAnswer("expired_token", "The device code has expired")),
  },
  interval_missing: {
    level: "tolerate",
    server: "The response with the codes has no interval.",
    client: "Waits 5 seconds between its polls.",
    rule: "RFC 8628 §3.2",
    watch: { never: pollsWithin(() => 5), sign: pollsAfter(() => 5) },
    acts: changeJson("device_authorization", removing("interval")),
  },
  poll_html: {
    server: "The token endpoint answers each poll with the status 200 and an HTML page.",
    client: "Takes the page for no token response. It stops, or polls again no sooner than before.",
    rule: "RFC 6749 §5.1; RFC 8628 §3.5 (no rule obliges the client)",
    watch: { never: any(usesReceivedToken, pollsWithin(() => 5)), refusalSays: "refused the page" },
    acts: answerGrant(deviceGrantType, htmlPage),
  },
  uri_script: {
    server:
      "The addresses for the person, verification_uri and verification_uri_complete, are javascript: URLs.",
    client: "Opens and shows https URLs only.",
    rule: "RFC 8628 §3.2, §5.4: the value is a URI, but no rule says what a client does with another scheme",
    watch: { never: callsOtherServer },
    acts: changeJson("device_authorization", (members, { otherServer }) => {
      const url = `javascript:location='${otherServer}/script'//`;
      return { ...members, verification_uri: url, verification_uri_complete: url };
    }),
  },
  slow_down_endless: {
    level: "must",
    server: "The token endpoint answers each poll with slow_down.",
    client: "Waits 5 seconds longer before each poll than before the last one.",
    rule: "RFC 8628 §3.5",
    watch: {
      never: pollsWithin((slowedDown) => 5 + 5 * slowedDown),
      sign: pollsAfter((slowedDown) => 5 + 5 * slowedDown),
      signSays: "waited longer before the next poll",
      // A client that stops at the first slow_down does not show whether it would wait.
      wordProvesNothing: true,
    },
    acts: answerGrant(deviceGrantType, refusalAnswer("slow_down", "Poll less often")),
  },
});

/** In seconds. Timers of clients are not exact, and some polls are faster on their way than others. */
const tolerance = 1;

/** Finds polls that come sooner after the last one than the client must wait. `wait` gets the number of polls before. */
function pollsWithin(wait: (polled: number) => number): Find {
  // Without any time between them, the clock of the test stands still.
  return findPolls((waited, polled) => waited > 0 && waited < wait(polled) - tolerance);
}

function pollsAfter(wait: (polled: number) => number): Find {
  return findPolls((waited, polled) => waited >= wait(polled) - tolerance);
}

function findPolls(matches: (waited: number, polled: number) => boolean): Find {
  return (later, acted) => {
    const byId = new Map(polls([...acted, ...later], []).map((seen) => [seen.entry.id, seen]));
    const all = orderByArrival([...byId.values()]);
    return all.filter((seen, at) => {
      const before = all.slice(0, at).filter((each) => codeOf(each) === codeOf(seen));
      const last = before.at(-1);
      return last !== undefined && matches(seen.entry.receivedAt - last.entry.receivedAt, before.length);
    });
  };
}

function codeOf({ params }: Seen): string | null {
  return params.get("device_code");
}
