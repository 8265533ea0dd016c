import type { RouteName } from './routes.ts';

/**
 * Calls that servers of older versions or of other makes may lack. An edge front finds out which its API
 * lacks (edge/api-facts.ts), and its pages hide the buttons and links that need them.
 */
export const OPTIONAL_CALLS = [
  'articleDelete',
  'commentEdit',
  'commentDelete',
  'fetchImage',
  'trashRestore',
  'scheduleSet',
  'versionList',
  'pictureList',
  'articleSettings',
  'archive',
  'activityList',
  'suggest',
  'safety',
  'accessTokenList',
  'ownWebhookList',
  'exportBegin',
  'reportCreate',
  'updateGender',
  'usernameChange',
  'profileChange',
  'articleReview',
] as const satisfies readonly RouteName[];

export type OptionalCall = (typeof OPTIONAL_CALLS)[number];
