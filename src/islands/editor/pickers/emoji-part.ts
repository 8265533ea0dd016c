import { lazyPart } from '../../ui/lazy.tsx';

export const EmojiDialog = lazyPart(() => import('./EmojiDialog.tsx'));
