import type { ComponentProps } from 'react';
import { Icon as Drawn } from '../../ui/Icon.tsx';
import { editorIcons, type EditorIcon } from './icons.ts';

export const Icon = ({ name }: { name: EditorIcon }) => <Drawn {...editorIcons[name]} />;

interface Props extends ComponentProps<'button'> {
  icon: EditorIcon;
  label: string;
}

/** Button that shows only an icon. */
export const IconButton = ({ icon, label, className = '', ...rest }: Props) => (
  <button type="button" className={`tool ${className}`} aria-label={label} {...rest}>
    <Icon name={icon} />
  </button>
);
