/** The platforms by name. */

import { githubActions } from "./github_actions.ts";
import { gitlabCi } from "./gitlab_ci.ts";
import { kubernetes } from "./kubernetes.ts";
import type { WorkloadPlatform } from "./names.ts";
import type { Platform } from "./platform.ts";
import { spiffe } from "./spiffe.ts";

export const platforms: Readonly<Record<WorkloadPlatform, Platform>> = {
  "github-actions": githubActions,
  "gitlab-ci": gitlabCi,
  kubernetes,
  spiffe,
};
