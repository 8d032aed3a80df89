declare module "autocannon" {
  export type Request = {
    method?: "GET" | "POST";
    path?: string;
    headers?: Record<string, string>;
    body?: string;
    setupRequest?: (request: Request) => Request;
  };
  type Options = {
    url: string;
    connections: number;
    duration: number;
    requests?: Request[];
    setupClient?(client: { setRequests(requests: Request[]): void }): void;
  };
  type Result = {
    requests: { total: number };
    duration: number;
    latency: { p50: number; p99: number };
    errors: number;
    timeouts: number;
    non2xx: number;
  };
  export default function autocannon(options: Options): Promise<Result> & { stop(): void };
}
