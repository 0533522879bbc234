/** The picture of docs/scale.md: how much busier the busiest partition is than the average. */
import { drawLineChart } from "../charts/line_chart.ts";
import { playSecond } from "./partitions.ts";
import { partitionSteps, simulatedClients } from "./page_parts.ts";

export function drawPartitions(): string {
  const lines = [
    {
      name: "clients have secrets: each token request reads one record of its client",
      clientsHaveSecrets: true,
    },
    { name: "clients have keys", clientsHaveSecrets: false },
  ].map(({ name, clientsHaveSecrets }) => {
    const second = playSecond({ flowsPerSecond: 10_000, clients: simulatedClients, clientsHaveSecrets });
    return { name, values: partitionSteps.map((partitions) => second.busiest(partitions)) };
  });
  const at = (partitions: number) =>
    lines.map(({ values }) => values[partitionSteps.indexOf(partitions)]!.toFixed(1)).join(" and ");
  return drawLineChart({
    title: "Calls of the busiest partition, compared with the average",
    description: "At 10,000 logins a second, with secrets and with keys: " +
      partitionSteps.map((partitions) => `${at(partitions)} times the average with ${partitions} partitions`)
        .join("; ") +
      ".",
    steps: partitionSteps,
    below: "partitions",
    marks: [1, 2, 4, 8, 16, 32].map((value) => ({ value, text: `${value} ×` })),
    lines,
  });
}
