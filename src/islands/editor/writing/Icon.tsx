import { Icon as Drawn } from '../../ui/Icon.tsx';
import { editorIcons, type EditorIcon } from './icons.ts';

export const Icon = ({ name }: { name: EditorIcon }) => <Drawn {...editorIcons[name]} />;
