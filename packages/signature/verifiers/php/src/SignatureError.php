<?php

declare(strict_types=1);

namespace Hookwright\Signature;

/**
 * Why a delivery was refused. It contains no secret and no expected signature, so it may be logged.
 *
 * `$reason` is the code, which never changes: `signature_mismatch`. (`getCode()` of PHP is a number: the HTTP status.)
 */
final class SignatureError extends \RuntimeException
{
    private const STATUSES = [
        'no_secret' => 500, 'invalid_option' => 500, 'body_not_raw' => 500,
        'invalid_json' => 400, 'invalid_envelope' => 400,
    ];

    /** The HTTP status to answer with. */
    public int $status;

    public function __construct(public string $reason, string $message)
    {
        $this->status = self::STATUSES[$reason] ?? 401;
        parent::__construct($message, $this->status);
    }
}
