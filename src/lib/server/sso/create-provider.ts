import type { ProviderSettings } from '../config/sso-settings.ts';
import { createOidc, oidcIssuerOf } from './oidc.ts';
import { createPlain, isPlain, plainIssuerOf } from './plain.ts';
import type { Provider, Request } from './provider.ts';

export const createProvider = (settings: ProviderSettings, request: Request): Provider =>
  isPlain(settings) ? createPlain(settings, request) : createOidc(settings, request);

/** Key of a provider's accounts, which stays valid when its id or label changes. */
export const issuerOf = (settings: ProviderSettings): string =>
  isPlain(settings) ? plainIssuerOf(settings) : oidcIssuerOf(settings);
