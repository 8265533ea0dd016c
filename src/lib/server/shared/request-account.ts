import { AsyncLocalStorage } from 'node:async_hooks';

/** Account of a request, noted where its token is verified and read when the response is logged. */
export interface RequestAccount {
  name?: string;
}

const accounts = new AsyncLocalStorage<RequestAccount>();

export const withAccount = (account: RequestAccount, work: () => void): void => accounts.run(account, work);

/** Does nothing outside of `withAccount`. */
export function noteAccount(viewer: { username: string } | null): void {
  const account = accounts.getStore();
  if (account && viewer) account.name = viewer.username;
}
