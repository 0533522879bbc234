/** GitLab CI/CD: the ID token of a job, which the keyword `id_tokens` puts into a variable. */

import type { Claims } from "../../../ground/values/members.ts";
import { type Platform, readTexts } from "./platform.ts";

const usualSubject = /^project_path:([^:]+):ref_type:(branch|tag):ref:(.+)$/;

export const gitlabCi: Platform = {
  title: "GitLab CI/CD",
  // Sources:
  // https://docs.gitlab.com/ci/secrets/id_token_authentication/
  // https://docs.gitlab.com/ci/cloud_services/
  // https://gitlab.com/.well-known/openid-configuration
  alg: "RS256",
  typ: "JWT",
  // The times of the example in GitLab's documentation. A token lives as long as its job may run.
  lifetime: 3600,
  validBefore: 5,
  hasId: true,
  jwksPath: "/oauth/discovery/keys",
  metadata: {
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  },
  subject: {
    form: '"project_path:my-group/my-project:ref_type:branch:ref:main"',
    read: readSubject,
    write(claims) {
      const text = readTexts(claims);
      return `project_path:${text("project_path", "")}:ref_type:${text("ref_type", "")}:ref:${
        text("ref", "")
      }`;
    },
  },
  audience: { form: "either", find: (_claims, issuer) => issuer },
  describe(known, issuer) {
    const text = readTexts(known);
    const project = text("project_path", "my-group/my-project");
    const ref = text("ref", "main");
    const type = text("ref_type", "branch");
    const path = `refs/${type === "tag" ? "tags" : "heads"}/${ref}`;
    const sha = text("sha", "714a629c0b401fdce83e847fc9589983fc6f46bc");
    const environment = known["environment"];
    return {
      namespace_id: "72",
      namespace_path: project.slice(0, project.lastIndexOf("/")),
      project_id: "20",
      project_path: project,
      user_id: "1",
      user_login: "sample-user",
      user_email: "sample-user@example.com",
      user_access_level: "developer",
      pipeline_id: "574",
      pipeline_source: "push",
      job_id: "302",
      ref,
      ref_type: type,
      ref_path: path,
      ref_protected: "true",
      ...(environment === undefined
        ? {}
        : { environment_protected: "false", deployment_tier: "testing", environment_action: "start" }),
      runner_id: 1,
      runner_environment: "gitlab-hosted",
      sha,
      project_visibility: "private",
      ci_config_ref_uri: `${new URL(issuer).host}/${project}//.gitlab-ci.yml@${path}`,
      ci_config_sha: sha,
    };
  },
};

/** A project can choose other components of its subjects, which say nothing about the other claims. */
function readSubject(sub: string): Claims {
  const [found, project, type, ref] = usualSubject.exec(sub) ?? [];
  return found === undefined ? {} : { project_path: project, ref_type: type, ref };
}
