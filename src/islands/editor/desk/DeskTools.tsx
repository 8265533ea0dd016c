import { Tabs } from '@base-ui/react/tabs';
import { memo, type Ref } from 'react';
import { IconButton } from '../writing/Icon.tsx';
import { Toolbar, ToolButton } from '../writing/Toolbar.tsx';
import type { Room } from './use-screen.ts';
import type { Writing } from '../writing/writing.ts';

interface Props {
  writing: Writing | null;
  isWide: boolean;
  tab: 'write' | 'preview';
  isBeside: boolean;
  room: Room;
  onBeside(isBeside: boolean): void;
  onRoom(room: Room): void;
  ref: Ref<HTMLDivElement>;
}

/** Toolbar between title and text, with the layout buttons. Memoized, so typing does not re-render it. */
export const DeskTools = memo(function DeskTools(props: Props) {
  const { writing, isWide, tab, isBeside, room, onBeside, onRoom, ref } = props;
  const isFull = room === 'full';
  const full = { name: isFull ? '退出全屏' : '全屏', icon: isFull ? 'smallScreen' : 'fullScreen' } as const;
  return (
    <div ref={ref} className="desk-tools">
      {!isWide && room !== 'focus' && (
        <div className="flex gap-6 pl-5 pr-[0.6rem]">
          <Tabs.List className="flex gap-6" aria-label="编辑或预览">
            <Tabs.Tab value="write" className="desk-tab">
              编辑
            </Tabs.Tab>
            <Tabs.Tab value="preview" className="desk-tab">
              预览
            </Tabs.Tab>
          </Tabs.List>
          <IconButton
            icon={full.icon}
            className="ml-auto"
            label={full.name}
            onClick={() => onRoom(isFull ? null : 'full')}
          />
        </div>
      )}
      <Toolbar writing={writing} isHidden={!isWide && tab === 'preview'}>
        {isWide && room !== 'focus' && (
          <>
            <ToolButton
              name="并排预览"
              icon="sideBySide"
              isPressed={isBeside}
              onPress={() => onBeside(!isBeside)}
            />
            <ToolButton
              {...full}
              keys={isFull ? 'Esc' : undefined}
              onPress={() => onRoom(isFull ? null : 'full')}
            />
          </>
        )}
      </Toolbar>
    </div>
  );
});
