/** GitHub Actions: the ID token of a job, which a workflow with `id-token: write` requests. */

import type { Claims } from "../../../ground/values/members.ts";
import { present } from "../../../ground/values/present.ts";
import { type Platform, readTexts } from "./platform.ts";

/** The names may have immutable ids: `repo:octo-org@65/octo-repo@74:ref:refs/heads/main`. */
const usualSubject =
  /^repo:([^/@:]+)(?:@(\d+))?\/([^/@:]+)(?:@(\d+))?:(?:ref:(.+)|environment:(.+)|(pull_request))$/;

export const githubActions: Platform = {
  title: "GitHub Actions",
  // Sources:
  // https://docs.github.com/en/actions/reference/security/oidc
  // https://docs.github.com/en/actions/concepts/security/openid-connect
  // https://token.actions.githubusercontent.com/.well-known/openid-configuration
  // https://github.com/actions/toolkit/blob/main/packages/core/src/oidc-utils.ts
  alg: "RS256",
  typ: "JWT",
  // The times of the example in GitHub's documentation.
  lifetime: 300,
  validBefore: 600,
  hasId: true,
  jwksPath: "/.well-known/jwks",
  metadata: {
    subject_types_supported: ["public", "pairwise"],
    response_types_supported: ["id_token"],
    claims_supported: [
      ...["sub", "aud", "exp", "iat", "iss", "jti", "nbf", "ref", "sha", "repository", "repository_id"],
      ...["repository_owner", "repository_owner_id", "run_id", "run_number", "run_attempt", "actor"],
      ...["actor_id", "workflow", "workflow_ref", "workflow_sha", "head_ref", "base_ref", "event_name"],
      ...["ref_type", "ref_protected", "environment", "job_workflow_ref", "job_workflow_sha"],
      ...["repository_visibility", "runner_environment"],
    ],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid"],
  },
  subject: {
    form: '"repo:octo-org/octo-repo:ref:refs/heads/main"',
    read: readSubject,
    write(claims) {
      const text = readTexts(claims);
      const repository = `repo:${text("repository", "")}`;
      if (typeof claims["environment"] === "string") {
        // GitHub encodes a colon in the name of the environment.
        return `${repository}:environment:${claims["environment"].replaceAll(":", "%3A")}`;
      }
      return claims["event_name"] === "pull_request"
        ? `${repository}:pull_request`
        : `${repository}:ref:${text("ref", "")}`;
    },
  },
  audience: {
    form: "text",
    find: (claims) => `https://github.com/${readTexts(claims)("repository_owner", "")}`,
  },
  describe(known) {
    const text = readTexts(known);
    const repository = text("repository", "octo-org/octo-repo");
    const event = text("event_name", "push");
    const isPullRequest = event === "pull_request";
    const ref = text("ref", isPullRequest ? "refs/pull/1/merge" : "refs/heads/main");
    const sha = text("sha", "2f6f2d6a0f1f4b0d9c7c5d8f6a3f1f8a1c0e9b7d");
    const workflow = `${repository}/.github/workflows/deploy.yml@${ref}`;
    return {
      ref,
      sha,
      repository,
      repository_owner: repository.split("/")[0],
      repository_owner_id: "65",
      run_id: "1234567890",
      run_number: "10",
      run_attempt: "1",
      repository_visibility: "private",
      repository_id: "74",
      actor_id: "12",
      actor: "octocat",
      workflow: "deploy",
      head_ref: isPullRequest ? "feature" : "",
      base_ref: isPullRequest ? "main" : "",
      event_name: event,
      ref_protected: "false",
      ref_type: ref.startsWith("refs/tags/") ? "tag" : "branch",
      workflow_ref: workflow,
      workflow_sha: sha,
      job_workflow_ref: workflow,
      job_workflow_sha: sha,
      runner_environment: "github-hosted",
    };
  },
  variables: { url: "ACTIONS_ID_TOKEN_REQUEST_URL", bearer: "ACTIONS_ID_TOKEN_REQUEST_TOKEN" },
};

/** An organization can choose another form of its subjects, which says nothing about the other claims. */
function readSubject(sub: string): Claims {
  const [found, owner, ownerId, name, repositoryId, ref, environment, isPullRequest] =
    usualSubject.exec(sub) ?? [];
  if (found === undefined) return {};
  return {
    repository: `${owner}/${name}`,
    repository_owner: owner,
    ...present({
      repository_owner_id: ownerId,
      repository_id: repositoryId,
      ref,
      environment: environment?.replaceAll("%3A", ":"),
      event_name: isPullRequest,
    }),
  };
}
