import { useId } from 'react';

/** One of several, all of them in view. */
export function Segments({ label, options, value, onChange }: {
  label: string;
  options: readonly (readonly [string, string])[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <div className="segments" role="group" aria-label={label}>
      {options.map(([name, title]) => (
        <button key={name} type="button" aria-pressed={name === value} onClick={() => onChange(name)}>
          {title}
        </button>
      ))}
    </div>
  );
}

export function Field({ label, value, onChange, suggestions, placeholder }: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  suggestions?: readonly string[];
  placeholder?: string;
}) {
  const id = useId();
  return (
    <label className="field">
      {label}
      <input
        type="text"
        value={value}
        placeholder={placeholder}
        list={suggestions && id}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={({ target }) => onChange(target.value)}
      />
      {suggestions && (
        <datalist id={id}>
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </label>
  );
}

export function Select({ label, value, options, onChange }: {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}) {
  return (
    <label className="field">
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Ready-made states to begin with. */
export function Examples<S>({ examples, onChoose }: { examples: readonly (readonly [string, S])[]; onChoose: (state: S) => void }) {
  return (
    <div className="examples" role="group" aria-label="Examples">
      <span>Examples</span>
      {examples.map(([title, state]) => (
        <button key={title} type="button" className="small" onClick={() => onChoose(state)}>
          {title}
        </button>
      ))}
    </div>
  );
}
