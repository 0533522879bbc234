/** Shows decoded tokens: each check with what it compared, and each claim in words. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */

import type { VNode } from "preact";
import type { DecodedToken, WalkTokenCheck } from "../../oauth/pages.ts";
import { visible } from "../visible.ts";
import { english as words } from "../words/english.ts";

export function DecodedTokens({ decoded }: { readonly decoded: readonly DecodedToken[] }): VNode {
  return <>{decoded.map((token) => <Decoded key={token.kind} token={token} />)}</>;
}

function Decoded({ token: { kind, jwt, checks } }: { readonly token: DecodedToken }): VNode {
  const id = `decoded-${kind}`;
  return (
    <section aria-labelledby={`${id}-heading`} id={id}>
      <h2 id={`${id}-heading`}>{words.walk.decoded(kind)}</h2>
      {jwt === undefined ? <p>{words.walk.opaque[kind]}</p> : (
        <>
          <Checks checks={checks} />
          <details>
            <summary>{words.walk.claimsHeading}</summary>
            <dl class="facts triples">
              {[...Object.entries(jwt.header), ...Object.entries(jwt.claims)].map(([name, value], at) => (
                <Claim key={at} name={name} value={value} />
              ))}
            </dl>
          </details>
        </>
      )}
    </section>
  );
}

/** The checks, folded if all of them passed. */
function Checks({ checks }: Pick<DecodedToken, "checks">): VNode {
  const count = (wanted: WalkTokenCheck["result"]) => checks.filter(({ result }) => result === wanted).length;
  return (
    <details open={count("failed") > 0}>
      <summary>{words.walk.checked(count("passed"), count("failed"))}</summary>
      <dl class="facts triples">{checks.map((check) => <Check key={check.name} check={check} />)}</dl>
    </details>
  );
}

function Check({ check: { name, result, expected, received } }: { readonly check: WalkTokenCheck }): VNode {
  return (
    <div class={`fact ${result}`} data-check={name}>
      <dt>
        <code>{name}</code> <span class="tag">{words.walk.results[result]}</span>
      </dt>
      <dd>
        {received !== undefined && <code class="value">{visible(received)}</code>}
        {expected !== undefined && expected !== received && (
          <span class="aside">
            {words.walk.expected} <code class="value">{visible(expected)}</code>
          </span>
        )}
      </dd>
      <dd class="aside">{words.walk.checks[name]}</dd>
    </div>
  );
}

/** The claims that are times in seconds (RFC 7519 §2; OpenID Connect Core §2, §5.1). */
const times: ReadonlySet<string> = new Set(["exp", "iat", "nbf", "auth_time", "updated_at"]);

function Claim({ name, value }: { readonly name: string; readonly value: unknown }): VNode {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const time = times.has(name) ? formatTime(value) : undefined;
  return (
    <div class="fact">
      <dt>
        <code>{visible(name)}</code>
      </dt>
      <dd>
        <code class="value">{visible(text)}</code>
        {time !== undefined && (
          <>
            {" "}
            <time dateTime={time}>{`${time.slice(0, 19).replace("T", " ")} UTC`}</time>
          </>
        )}
      </dd>
      <dd class="aside">{words.walk.claims(name)}</dd>
    </div>
  );
}

/** Returns a time in seconds as ISO 8601, or `undefined` if no calendar has the time. */
function formatTime(value: unknown): string | undefined {
  if (typeof value !== "number") return undefined;
  const date = new Date(value * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
