import { lazyPart } from '../../ui/lazy.tsx';
import type { EmojiDialogProps } from './EmojiDialog.tsx';

/** The dialog with all emoji, loaded when it is first opened. */
export const EmojiDialog = lazyPart<EmojiDialogProps>(() => import('./EmojiDialog.tsx'));
