import { readSignIn } from '../../client/cookies.ts';
import { call, freshToken } from '../api.ts';
import { notifyTabs } from './session.ts';

/** Changes the username, and replaces the tokens of this browser, which name it. */
export async function changeUsername(fields: {
  username: string;
  password: string;
  code?: string | undefined;
}): Promise<string> {
  const text = await call('usernameChange', fields, { quiet: true });
  // Until a later exchange, the pages show the former name.
  await freshToken(readSignIn()?.token).catch(() => null);
  notifyTabs();
  return text;
}
