/** The names of the platforms whose workload tokens the test kit mints. */

export const workloadPlatforms = ["github-actions", "gitlab-ci", "kubernetes", "spiffe"] as const;

/** A platform that gives tokens to workloads: pipelines, pods and services. */
export type WorkloadPlatform = typeof workloadPlatforms[number];
