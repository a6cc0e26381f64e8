import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { readFieldProblems } from "../api/field-problems.ts";
import type { FieldProblems } from "../api/field-problems.ts";
import { useAction } from "../state/use-action.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";

export interface FormDialogProps {
  readonly title: ComponentChildren;
  /** The form's labels of the API's fields: `{ target_url: "URL" }`. */
  readonly labels: Readonly<Record<string, string>>;
  /** The values of the API's fields. The problem of a field disappears when its value changes. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** The label of the submit button, a verb. */
  readonly submit: string;
  /** True if the form cannot be submitted as it is. */
  readonly disabled?: boolean;
  /** Closes the dialog itself after success. The form shows the errors of the API that it throws. */
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  /** Renders the fields, each with its problem. */
  readonly children: (problemAt: FieldProblems["at"]) => ComponentChildren;
}

/** A form in a dialog. It shows the problems of fields at the fields, and moves the focus to the first of them. */
export function FormDialog({
  title,
  labels,
  values = {},
  submit,
  disabled = false,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const action = useAction();
  const form = useRef<HTMLFormElement>(null);
  const [submitted, setSubmitted] = useState(values);
  const problems = readFieldProblems(action.failure, labels);
  const problemAt = (path: string): string | undefined => {
    const [field = ""] = path.split(".");
    return values[field] === submitted[field] ? problems.at(path) : undefined;
  };
  useLayoutEffect(() => {
    if (action.failure === undefined) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true], fieldset:has(> .problem)")?.focus();
  }, [action.failure]);
  return (
    // It stays open until the response arrives, because it shows the error.
    <Dialog title={title} onClose={action.busy ? undefined : onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          setSubmitted(values);
          void action.run(onSubmit);
        }}
      >
        <FailureNote failure={problems.rest} />
        {children(problemAt)}
        <div class="actions end">
          <Button disabled={action.busy} onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" busy={action.busy} disabled={disabled}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
