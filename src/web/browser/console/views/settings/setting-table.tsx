import { useSignal } from "@preact/signals";
import type { Setting } from "../../../shared/api.ts";
import { typeInto } from "../../../shared/controls.tsx";
import { settingsStrings as words } from "./strings.ts";

/** A value as it stands in the file. */
const valueWords = (value: unknown): string => {
  if (value === null) return words.notSet;
  if (Array.isArray(value)) return value.length === 0 ? words.none : value.map(itemWords).join("\n");
  return String(value);
};

const itemWords = (item: unknown): string =>
  typeof item === "object" && item !== null
    ? Object.entries(item)
        .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
        .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`)
        .join(", ")
    : String(item);

const fits = ({ name, variable, description }: Setting, typed: string): boolean =>
  `${name} ${variable} ${description}`.toLowerCase().includes(typed.toLowerCase());

/** Every setting in force: its value, where it comes from, what it does. */
export const SettingTable = ({ settings, file }: { settings: readonly Setting[]; file: string | null }) => {
  const typed = useSignal("");
  const isChangedOnly = useSignal(false);
  const shown = settings.filter(
    (setting) => fits(setting, typed.value.trim()) && !(isChangedOnly.value && setting.source === "default"),
  );
  return (
    <div class="setting-table">
      <div class="actions">
        <input type="search" aria-label={words.filter} placeholder={words.filter} onInput={typeInto(typed)} />
        <label class="choice">
          <input
            type="checkbox"
            onChange={(event) => {
              isChangedOnly.value = event.currentTarget.checked;
            }}
          />
          {words.changedOnly}
        </label>
      </div>
      <p class="quiet">
        {words.changeHint} {file === null ? words.noFile : words.readFrom} {file !== null && <code>{file}</code>}
      </p>
      {shown.length === 0 ? (
        <p class="quiet" role="status">
          {words.nothingFound}
        </p>
      ) : (
        <table class="list">
          <thead>
            <tr>
              <th>{words.setting}</th>
              <th>{words.value}</th>
              <th>{words.from}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((setting) => (
              <SettingRow key={setting.name} setting={setting} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
};

const SettingRow = ({ setting }: { setting: Setting }) => {
  const { name, variable, value, source, where, description, hidden } = setting;
  const isDefault = JSON.stringify(value) === JSON.stringify(setting.default);
  const text = hidden ? words.hidden : valueWords(value);
  return (
    <tr class={source === "default" ? "" : "was-set"}>
      <td class="name">
        <code>{name}</code>
        <p class="quiet">{description}</p>
      </td>
      <td class="name">
        {hidden || value === null || text === words.none ? <span class="quiet">{text}</span> : <code>{text}</code>}
        {!isDefault && !hidden && source !== "default" && (
          <p class="quiet">{words.isDefault(valueWords(setting.default))}</p>
        )}
      </td>
      <td title={words.setBy(variable)}>
        {source === "default" ? <span class="quiet">{words.defaultSource}</span> : <code>{where}</code>}
      </td>
    </tr>
  );
};
