import { versionsNow, type Kind } from '../engines/decide.ts';
import type { Answer, TestServer } from './server.ts';

interface Asked {
  ids: readonly string[];
  action: string;
  note?: string;
  /** By default the current ones. */
  versions?: readonly string[];
}

/** Sends a decision of staff, as the console does after it has read the items. */
export async function decide(
  server: TestServer,
  kind: Kind,
  asked: Asked,
  token: string | undefined,
): Promise<Answer> {
  const versions = asked.versions ?? (await versionsNow(server.app, kind, asked.ids));
  const isChange = asked.action === 'approve' || asked.action === 'refuse';
  const path = isChange ? '/api/staff/changes/decide' : `/api/staff/${kind}s/moderate`;
  return server.post(path, { kind, ...asked, versions }, token);
}
