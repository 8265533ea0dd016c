import { Archives } from './Archives.tsx';
import { settingsPage } from './settings-page.tsx';

/** Automatic backups: when and where, and the archives that are there. */
export default settingsPage({
  label: '备份',
  group: 'backup',
  more: (texts, safety) =>
    texts['BACKUP_EVERY'] !== '' && <Archives key={JSON.stringify(texts)} safety={safety} />,
});
