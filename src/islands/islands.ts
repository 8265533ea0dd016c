/** Every island, by its module below this folder: astro.config.mjs makes a file for browsers of each. */
export const ISLANDS = [
  'comments/CommentThread',
  'dashboards/OwnerActions',
  'header/HeaderControls',
  'profile/AvatarEditor',
  'profile/BioEditor',
] as const;
export type IslandName = (typeof ISLANDS)[number];

/** What puts an island's component in the place of its markup. */
export const RENDERER = 'renderer/client';

/** Their components, as types alone: none is loaded on the server. */
export interface Islands {
  'comments/CommentThread': typeof import('./comments/CommentThread.tsx').default;
  'dashboards/OwnerActions': typeof import('./dashboards/OwnerActions.tsx').default;
  'header/HeaderControls': typeof import('./header/HeaderControls.tsx').default;
  'profile/AvatarEditor': typeof import('./profile/AvatarEditor.tsx').default;
  'profile/BioEditor': typeof import('./profile/BioEditor.tsx').default;
}
