import { parentPort, workerData } from "node:worker_threads";
import { type LayoutTask, layOut } from "./network-layout.ts";

// Runs in a thread of its own, so that the layout does not block requests.
parentPort?.postMessage(layOut(workerData as LayoutTask));
