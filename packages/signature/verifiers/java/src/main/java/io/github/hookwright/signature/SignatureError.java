package io.github.hookwright.signature;

/** Why a delivery was refused. It contains no secret and no expected signature, so it may be logged. */
public final class SignatureError extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What was refused. {@link #text()} never changes. */
    public enum Code {
        NO_SECRET(500),
        INVALID_OPTION(500),
        BODY_NOT_RAW(500),
        MISSING_HEADER(401),
        MALFORMED_HEADER(401),
        TIMESTAMP_OUTSIDE_TOLERANCE(401),
        SIGNATURE_MISMATCH(401),
        INVALID_JSON(400),
        INVALID_ENVELOPE(400),
        EVENT_MISMATCH(401);

        private final int status;

        Code(int status) {
            this.status = status;
        }

        /** The code as in the other languages: {@code signature_mismatch}. */
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        /** The HTTP status to answer with. */
        public int status() {
            return status;
        }
    }

    private final Code code;

    SignatureError(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    @Override
    public String toString() {
        return code.text() + ": " + getMessage();
    }
}
