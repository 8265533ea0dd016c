import { Switch } from '@base-ui/react/switch';
import { useId, type Ref } from 'react';
import { ArticleFields } from '../fields/ArticleFields.tsx';
import { TagField } from '../fields/TagField.tsx';
import { TitleField } from '../fields/TitleField.tsx';
import type { Writer } from '../writing/use-writer.ts';

interface Props {
  writer: Writer;
  title: Ref<HTMLTextAreaElement>;
  tags: Ref<HTMLInputElement>;
  onEnter(): void;
}

export function DeskHead({ writer: { fields, errors, change }, title, tags, onEnter }: Props) {
  const id = useId();
  return (
    <div className="desk-head">
      <TitleField
        ref={title}
        title={fields.title}
        error={errors['title']}
        onChange={(value) => change({ title: value })}
        onEnter={onEnter}
      />
      <div className="flex items-start gap-4">
        <TagField
          ref={tags}
          tags={fields.tags}
          error={errors['tags']}
          onChange={(value) => change({ tags: value })}
        />
        <div className="inline-flex items-center gap-[0.6rem] min-h-11 text-[0.875rem] text-soft whitespace-nowrap cursor-pointer">
          <label htmlFor={id} title="只有自己能看到">
            私密
          </label>
          <Switch.Root
            id={id}
            className="switch"
            checked={fields.secret}
            onCheckedChange={(value) => change({ secret: value })}
          >
            <Switch.Thumb className="switch-thumb" />
          </Switch.Root>
        </div>
      </div>
      <ArticleFields fields={fields} errors={errors} change={change} />
    </div>
  );
}
