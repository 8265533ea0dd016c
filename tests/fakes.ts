import type { AppParts } from '../src/lib/server/services.ts';

/** Types objects with the given members as whole parts of the app. */
export const fakes = <Name extends keyof AppParts>(given: { [K in Name]: Partial<AppParts[K]> }) =>
  given as unknown as Pick<AppParts, Name>;
