import { Toolbar as Base } from '@base-ui/react/toolbar';
import { Tooltip } from '@base-ui/react/tooltip';
import { Fragment, type ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { EditorIcon } from './icons.ts';
import { keyText } from './keys.ts';
import { TOOL_GROUPS } from './tools.ts';
import type { Writing } from './writing.ts';

interface Props {
  /** Null until CodeMirror has loaded. Buttons are disabled until then. */
  writing: Writing | null;
  isHidden: boolean;
  children?: ReactNode;
}

/** Formatting buttons. The toolbar is one tab stop; arrow keys move between its buttons. */
export function Toolbar({ writing, isHidden, children }: Props) {
  return (
    <Tooltip.Provider delay={500}>
      <Base.Root aria-label="排版" className="toolbar" hidden={isHidden}>
        <div className="toolbar-tools">
          {TOOL_GROUPS.map((tools, index) => (
            <Fragment key={tools[0].command}>
              {index > 0 && <Base.Separator className="toolbar-gap" />}
              {tools.map((tool) => (
                <ToolButton
                  key={tool.command}
                  {...tool}
                  icon={tool.command}
                  isOff={!writing}
                  onPress={() => writing?.run(tool.command)}
                />
              ))}
            </Fragment>
          ))}
        </div>
        {children}
      </Base.Root>
    </Tooltip.Provider>
  );
}

interface ToolButtonProps {
  name: string;
  icon: EditorIcon;
  keys?: string | undefined;
  isOff?: boolean;
  isPressed?: boolean;
  onPress(): void;
}

export function ToolButton({ name, icon, keys, isOff = false, isPressed, onPress }: ToolButtonProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        render={
          <Base.Button
            disabled={isOff}
            aria-label={name}
            aria-pressed={isPressed}
            className="tool"
            // Keeps the caret, and the keyboard of a phone open.
            onMouseDown={(event) => event.preventDefault()}
            onClick={onPress}
          />
        }
      >
        <Icon name={icon} />
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} className="z-40">
          <Tooltip.Popup className="px-[0.7rem] py-[0.2rem] rounded bg-ink text-paper text-[0.8125rem]">
            {name}
            {keys && <kbd className="ml-2 font-sans opacity-70">{keyText(keys)}</kbd>}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
