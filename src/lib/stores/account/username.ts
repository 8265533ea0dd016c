import { readSignIn } from '../../client/cookies.ts';
import type { CallInput } from '../../contract/calls/calls.ts';
import { call, freshToken } from '../api.ts';
import { notifyTabs } from './session.ts';

/** Changes the username, and replaces the tokens of this browser, which name it. */
export async function changeUsername(fields: CallInput<'usernameChange'>): Promise<string> {
  const former = readSignIn()?.username ?? fields.username;
  const text = await call('usernameChange', fields, { quiet: true });
  // Until a later exchange, the pages show the former name.
  await freshToken(readSignIn()?.token).catch(() => null);
  await moveOwnTexts(former, fields.username).catch(() => undefined);
  notifyTabs();
  return text;
}

/** Texts that were not sent yet are stored by username. */
async function moveOwnTexts(former: string, next: string): Promise<void> {
  const [{ moveTexts }, { moveDrafts }] = await Promise.all([
    import('../draft/draft.ts'),
    import('../comments/move-drafts.ts'),
  ]);
  moveDrafts(former, next);
  await moveTexts(former, next);
}
