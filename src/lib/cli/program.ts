import { Command, CommanderError } from 'commander';
import stringWidth from 'string-width';
import { explain, isClear } from '../server/operations/explain.ts';
import { addBackupCommands } from './commands/backup-commands.ts';
import { addDoctorCommand } from './commands/doctor-command.ts';
import { addExportCommands } from './commands/export-commands.ts';
import { addImportCommands } from './commands/import-commands.ts';
import { addInviteCommands } from './commands/invite-commands.ts';
import { addMoveCommand } from './commands/move-command.ts';
import { addPublishCommand } from './commands/publish-command.ts';
import { addPushCommands } from './commands/push-command.ts';
import { addProfileCommands } from './commands/profile-commands.ts';
import { addPickCommands } from './commands/pick-commands.ts';
import { addRedirectCommands } from './commands/redirect-commands.ts';
import { addContentCommands } from './commands/content-commands.ts';
import { addTokenCommands } from './commands/token-commands.ts';
import { addUserCommands } from './commands/user-commands.ts';

const TITLES: Record<string, string> = {
  'Usage:': '用法:',
  'Options:': '选项:',
  'Commands:': '命令:',
  'Arguments:': '参数:',
};

/** Creates the command line with Chinese help. It throws a CommanderError instead of ending the process. */
export function createProgram(): Command {
  const root = new Command('moye').description('墨页的管理命令');
  addImportCommands(root);
  addUserCommands(root);
  addTokenCommands(root);
  addContentCommands(root);
  addProfileCommands(root);
  addInviteCommands(root);
  addPickCommands(root);
  addMoveCommand(root);
  addBackupCommands(root);
  addExportCommands(root);
  addPushCommands(root);
  addPublishCommand(root);
  addRedirectCommands(root);
  addDoctorCommand(root);
  for (const command of withSubcommands(root)) inChinese(command);
  root
    .command('help')
    .usage('[命令]')
    .description('显示命令的帮助')
    .argument('[command...]', '命令')
    .action((words: string[]) => {
      const { command, unknown } = commandOf(root, words);
      if (unknown) root.error(`unknown command '${unknown}'`, { code: 'commander.unknownCommand' });
      command.outputHelp();
    });
  return root;
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

function termOf(command: Command): string {
  const names: string[] = [];
  for (let each = command; each.parent; each = each.parent) names.unshift(each.name());
  return `${names.join(' ')} ${command.usage()}`;
}

function inChinese(command: Command): void {
  command.exitOverride().showSuggestionAfterError(false).helpCommand(false);
  command.helpOption('-h, --help', '显示帮助');
  command.usage(command.commands.length > 0 ? '<命令>' : usageOf(command));
  command.configureHelp({
    displayWidth: stringWidth,
    styleTitle: (title) => TITLES[title] ?? title,
    visibleCommands: (parent) => parent.commands.flatMap(leavesOf),
    subcommandTerm: termOf,
    optionDescription: ({ description }) => description,
    argumentDescription: ({ description }) => description,
  });
  command.configureOutput({ outputError: () => undefined });
}

function usageOf(command: Command): string {
  const argumentTerms = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  return [...argumentTerms, ...required, '[选项]'].join(' ');
}

const MISTAKES: Record<string, string> = {
  'commander.unknownCommand': '没有这个命令',
  'commander.unknownOption': '没有这个选项',
  'commander.missingArgument': '缺少参数',
  'commander.missingMandatoryOptionValue': '缺少选项',
  'commander.optionMissingArgument': '选项缺少值',
  'commander.excessArguments': '参数过多',
};

/** Returns the error of the command line `words` with the help of its command; null if help was printed. */
function describeMistake(error: CommanderError, program: Command, words: readonly string[]): string | null {
  const mistake = MISTAKES[error.code];
  if (mistake === undefined) return null;
  // The message names the command, not the excess arguments.
  const [, named = ''] =
    error.code === 'commander.excessArguments' ? [] : (/'([^']+)'/.exec(error.message) ?? []);
  const { command } = commandOf(
    program,
    words.filter((word) => word !== 'help'),
  );
  return `${mistake}${named && ` ${named}`}\n\n${command.helpInformation()}`;
}

/** Returns the command that `words` name, also as one word ("user add"), and the first that names none. */
function commandOf(program: Command, words: readonly string[]): { command: Command; unknown?: string } {
  let command = program;
  for (const word of words.join(' ').split(' ')) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) return { command, unknown: word };
    command = next;
  }
  return { command };
}

/**
 * Runs one command of the command line with the server's settings and storage, also alongside a server.
 * @param words arguments, without the program's own two
 * @returns after the command; on failure, `process.exitCode` is set and standard error has a line about it
 */
export async function run(words: readonly string[]): Promise<void> {
  const program = createProgram();
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    const isMistake = error instanceof CommanderError;
    const text = isMistake ? describeMistake(error, program, words) : describeError(error);
    if (text !== null) process.stderr.write(`moye：${text.trimEnd()}\n`);
    process.exitCode = isMistake ? error.exitCode : 1;
  }
}

function describeError(error: unknown): string {
  return error instanceof Error && !isClear(error) ? (error.stack ?? error.message) : explain(error);
}
