/** The names of the files that only the pages of the dashboard load. The file has no texts, so it is small. */

export const dashboardAssetNames = ["dashboard.css", "key.js"] as const;

export type DashboardAssetName = typeof dashboardAssetNames[number];
