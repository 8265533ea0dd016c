import { Icon as Drawn } from '../ui/Icon.tsx';
import { editorIcons, type EditorIcon } from './icons.ts';

/** An icon of the editor by its name. */
export const Icon = ({ name }: { name: EditorIcon }) => <Drawn {...editorIcons[name]} />;
