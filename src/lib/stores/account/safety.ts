import { atom, type ReadableAtom } from 'nanostores';
import { explain } from '../../client/call-error.ts';
import type { Device, Safety } from '../../contract/account-entities.ts';
import { call } from '../api.ts';

interface SafetyState {
  safety: Safety | null;
  devices: readonly Device[];
  problem: string;
}

export interface AccountSafety {
  $state: ReadableAtom<SafetyState>;
  load(): Promise<void>;
}

export function createAccountSafety(): AccountSafety {
  const $state = atom<SafetyState>({ safety: null, devices: [], problem: '' });
  return {
    $state,
    async load() {
      try {
        const quiet = { quiet: true };
        const [safety, devices] = await Promise.all([
          call('safety', {}, quiet),
          call('deviceList', {}, quiet),
        ]);
        $state.set({ safety, devices, problem: '' });
      } catch (error) {
        $state.set({ ...$state.get(), problem: explain(error, '没有加载成功，请稍后再试') });
      }
    },
  };
}
