import { lazyPart } from '../../ui/lazy.tsx';
import type { EmojiDialogProps } from './EmojiDialog.tsx';

export const EmojiDialog = lazyPart<EmojiDialogProps>(() => import('./EmojiDialog.tsx'));
