// Connections to a collector that end when the server does: a collector that hangs, or is away, would keep the process alive until the SDK gives up.
import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Destination } from './settings.ts';

type Agent = HttpAgent | HttpsAgent;

export function collectorConnections({ tls }: Pick<Destination, 'tls'>) {
  const made: Agent[] = [];
  let ended = false;
  return {
    /** As the SDK asks for it. */
    agent(protocol: string) {
      const options: AgentOptions = { keepAlive: true };
      const agent = protocol === 'http:' ? new HttpAgent(options) : new HttpsAgent({ ...options, ...tls });
      const connect = agent.createConnection.bind(agent);
      agent.createConnection = (to, done) => {
        if (!ended) return connect(to, done);
        done?.(new Error('no answer before the server stopped'), undefined as never);
        return undefined;
      };
      made.push(agent);
      return agent;
    },
    /** Ends what is under way, and lets nothing begin. */
    end() {
      ended = true;
      for (const agent of made) agent.destroy();
    },
  };
}
