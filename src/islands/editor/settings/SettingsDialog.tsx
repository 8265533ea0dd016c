import { useEffect, useRef } from 'react';
import { LICENCES } from '../../../lib/contract/rules/licences.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { CoverField } from '../../ui/form/CoverField.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Toggle } from '../../ui/form/Toggle.tsx';
import type { Writer } from '../writing/use-writer.ts';
import { DescriptionField } from './DescriptionField.tsx';
import { SeriesField } from './SeriesField.tsx';
import { SourceField } from './SourceField.tsx';

interface Props extends Pick<Writer, 'fields' | 'errors' | 'change'> {
  onClose(): void;
}

/** Settings of an article. Each change is saved immediately, like the text. */
export default function SettingsDialog({ fields, errors, change, onClose }: Props) {
  const { description = '', cover = '', series = '', source = '', licence = '' } = fields;
  const descriptionField = useRef<HTMLTextAreaElement>(null);
  const error = errors['description'];
  useEffect(() => {
    if (error !== undefined) descriptionField.current?.focus();
  }, [error]);
  return (
    <Dialog title="文章设置" isOpen onClose={onClose}>
      <div className="mt-4 grid gap-6">
        <DescriptionField
          ref={descriptionField}
          description={description}
          error={error}
          onChange={(value) => change({ description: value })}
        />
        <CoverField cover={cover} onChange={(value) => change({ cover: value })} />
        <SeriesField series={series} onChange={(value) => change({ series: value })} />
        <SourceField source={source} onChange={(value) => change({ source: value })} />
        <LicenceField licence={licence} onChange={(value) => change({ licence: value })} />
        <div className="grid gap-1">
          <Toggle
            isOn={!fields.comments_closed}
            onChange={(isOn) => change({ comments_closed: !isOn })}
            hint="关掉后已有的评论仍然显示，只是不能再写。"
          >
            允许评论
          </Toggle>
          <Toggle
            isOn={fields.pinned ?? false}
            onChange={(isOn) => change({ pinned: isOn })}
            hint="排在自己主页的最前面，最多 5 篇，取最近发布的。"
          >
            在主页置顶
          </Toggle>
        </div>
      </div>
      <div className="mt-6 flex justify-end">
        <button type="button" className="button" onClick={onClose}>
          完成
        </button>
      </div>
    </Dialog>
  );
}

function LicenceField({ licence, onChange }: { licence: string; onChange(licence: string): void }) {
  return (
    <Choice label="许可协议" value={licence} onChange={onChange}>
      <option value="">不声明</option>
      {Object.entries(LICENCES).map(([name, each]) => (
        <option key={name} value={name}>
          {each.name}
        </option>
      ))}
    </Choice>
  );
}
