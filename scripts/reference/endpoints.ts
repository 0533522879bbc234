/** docs/reference/endpoints.md. */
import { preflight } from "../../src/ground/http/respond.ts";
import type { Endpoint } from "../../src/server/oauth/contracts/feature.ts";
import { pathProfiles, usualPaths } from "../../src/server/oauth/contracts/paths.ts";
import { type DescribedFeature, listFeatures } from "./feature_list.ts";
import { code, type Page, table } from "./markdown.ts";

export async function writeEndpoints(): Promise<Page> {
  const features = await listFeatures();
  const all = features.flatMap((described) =>
    gatherMethods(described.feature.endpoints ?? []).map((endpoint) => ({ described, endpoint }))
  );
  const programs = all.filter(({ endpoint: { refusal } }) => refusal === "json");
  const pages = all.filter(({ endpoint: { refusal } }) => refusal === "page");
  const { headers } = preflight("POST");
  return {
    title: "Endpoints",
    summary: "Every address of the server. Paths are below the issuer, so `/oauth2/token` of the issuer " +
      "`http://localhost:9000` is `http://localhost:9000/oauth2/token`.",
    parts: [
      "## For programs",
      "They answer with JSON. A client finds them in the metadata document.",
      listEndpoints(
        programs,
        "in the metadata",
        ({ endpoint: { metadataName } }) => metadataName === undefined ? "" : code(metadataName),
      ),
      `Scripts of every origin may call ${
        describeCors(programs)
      }, and read the response (CORS). Such a request has no cookies. A script may send ` +
      `these headers: ${listHeaders(headers["access-control-allow-headers"])}.`,
      "If the issuer has a path, as in `https://id.example/auth`, the metadata of RFC 8414 is at " +
      "`/.well-known/oauth-authorization-server/auth`, outside of that path. The metadata of OpenID Connect is at " +
      "`/auth/.well-known/openid-configuration` and at `/.well-known/openid-configuration/auth`.",
      "## For people",
      "They answer with a page. Another site cannot call them with a script, and cannot show them in a frame. The column " +
      "*feature* names the part of the server that answers, as in [Features](features.md).",
      listEndpoints(pages, "feature", ({ described }) => code(described.feature.name)),
      "The pages load their styles and scripts from `/static/`. With `--control`, the " +
      "[control plane](control_plane.md) is below `/_postern`.",
      "## Other paths",
      "The key `paths` moves the endpoints to the paths of another server. An object moves single endpoints: " +
      '`{ "token": "/oauth/token" }`.',
      table(
        ["name", "usual path", ...Object.keys(pathProfiles).map((name) => code(`"${name}"`))],
        Object.entries(usualPaths).map(([name, path]) => [
          code(name),
          ...[path, ...Object.values(pathProfiles).map(({ paths }) => paths[name as keyof typeof usualPaths])]
            .map(code),
        ]),
      ),
    ],
  };
}

type JoinedEndpoint = Endpoint & { readonly methods: readonly string[] };

interface EndpointRow {
  readonly described: DescribedFeature;
  readonly endpoint: JoinedEndpoint;
}

/** Returns a table of endpoints. One column differs between the tables. */
function listEndpoints(
  rows: readonly EndpointRow[],
  column: string,
  describe: (row: EndpointRow) => string,
): string {
  return table(
    ["path", "method", column, "specification"],
    rows.map((row) => [
      code(row.endpoint.path),
      row.endpoint.methods.join(", "),
      describe(row),
      row.described.spec,
    ]),
  );
}

/** Joins the endpoints of one path. */
function gatherMethods(endpoints: readonly Endpoint[]): readonly JoinedEndpoint[] {
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  return paths.map((path) => {
    const own = endpoints.filter((each) => each.path === path);
    const announced = own.find(({ metadataName }) => metadataName !== undefined) ?? own[0]!;
    return { ...announced, methods: [...new Set(own.map(({ method }) => method))] };
  });
}

function describeCors(rows: readonly EndpointRow[]): string {
  const closed = rows.filter(({ endpoint }) => !endpoint.cors).map(({ endpoint }) => code(endpoint.path));
  return closed.length === 0 ? "all of them" : `all of them except ${closed.join(" and ")}`;
}

function listHeaders(text: string | readonly string[] | undefined): string {
  return `${text}`.split(", ").map(code).join(", ");
}
