/** Every island, by its module below this folder: astro.config.mjs makes a file for browsers of each. */
export const ISLANDS = [
  'comments/CommentThread',
  'dashboards/ArticleDashboard',
  'dashboards/CommentDashboard',
  'dashboards/DraftDashboard',
  'dashboards/OwnerActions',
  'editor/Editor',
  'header/HeaderControls',
  'profile/AvatarEditor',
  'profile/BioEditor',
  'session-gate/SessionGate',
  'sign/SignIn',
  'sign/SignUp',
] as const;
export type IslandName = (typeof ISLANDS)[number];

/** What puts an island's component in the place of its markup. */
export const RENDERER = 'renderer/client';

/** Their components, as types alone: none is loaded on the server. */
export interface Islands {
  'comments/CommentThread': typeof import('./comments/CommentThread.tsx').default;
  'dashboards/ArticleDashboard': typeof import('./dashboards/ArticleDashboard.tsx').default;
  'dashboards/CommentDashboard': typeof import('./dashboards/CommentDashboard.tsx').default;
  'dashboards/DraftDashboard': typeof import('./dashboards/DraftDashboard.tsx').default;
  'dashboards/OwnerActions': typeof import('./dashboards/OwnerActions.tsx').default;
  'editor/Editor': typeof import('./editor/Editor.tsx').default;
  'header/HeaderControls': typeof import('./header/HeaderControls.tsx').default;
  'profile/AvatarEditor': typeof import('./profile/AvatarEditor.tsx').default;
  'profile/BioEditor': typeof import('./profile/BioEditor.tsx').default;
  'session-gate/SessionGate': typeof import('./session-gate/SessionGate.tsx').default;
  'sign/SignIn': typeof import('./sign/SignIn.tsx').default;
  'sign/SignUp': typeof import('./sign/SignUp.tsx').default;
}
