import type { SiteOptions } from '../../../lib/contract/site-options.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { Section } from '../../ui/Section.tsx';
import { CheckField } from '../CheckField.tsx';
import { numberOptions, optionsPage } from './options-page.tsx';
import { OriginSearch } from './OriginSearch.tsx';

const DAYS = [0, 60, 180, 365];

const valuesOf = ({ reports, keepOrigins, thanksPictures }: SiteOptions) => ({
  reports,
  keepOrigins,
  thanksPictures,
});

/** Duties of a platform: reports of readers, and how long addresses of posts are recorded. */
export default optionsPage(
  '平台责任',
  valuesOf,
  ({ values, set, frame }) => (
    <>
      <CheckField
        isOn={values.reports}
        onChange={(reports) => set({ reports })}
        hint="文章和个人主页上的「举报」。关闭后，已经收到的仍在这里处理。"
      >
        接受读者举报
      </CheckField>
      <CheckField
        isOn={values.thanksPictures}
        onChange={(thanksPictures) => set({ thanksPictures })}
        hint="作者放在自己文章末尾的收款码。关闭后都不再显示，重新打开又会显示。"
      >
        允许作者放赞赏码
      </CheckField>
      <Choice
        {...frame('keepOrigins')}
        label="保存每次发布的地址和账号"
        hint="按规定要能查到文章和评论是谁、从哪里发的时候才需要。到期自动删除；改为不保存，已经保存的也会删除。只有站长能查，每次查看都有操作记录。"
        value={String(values.keepOrigins)}
        options={numberOptions(DAYS, values.keepOrigins, (days) => (days === 0 ? '不保存' : `${days} 天`))}
        onChange={(chosen) => set({ keepOrigins: Number(chosen) })}
      />
    </>
  ),
  () => (
    <Section title="查发布地址">
      <OriginSearch />
    </Section>
  ),
);
