import type { AppParts } from '../src/lib/server/services.ts';
import type { Current } from '../src/lib/server/settings/operator-settings.ts';

/** Types objects with the given members as whole parts of the app. */
export const fakes = <Name extends keyof AppParts>(given: { [K in Name]: Partial<AppParts[K]> }) =>
  given as unknown as Pick<AppParts, Name>;

/** A setting that does not change. */
export const settled = <T>(value: T): Current<T> => ({ read: async () => value, known: value });
