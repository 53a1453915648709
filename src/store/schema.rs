//! The tables as the migrations create them. A test compares the two.

use diesel::{allow_tables_to_appear_in_same_query, joinable, table};

table! {
    accounts (id) {
        id -> Uuid,
        username -> Text,
        password_hash -> Nullable<Text>,
        role -> Text,
        created_at -> Timestamptz,
        has_played -> Bool,
        participations -> Integer,
        is_program -> Bool,
        deleted_at -> Nullable<Timestamptz>,
    }
}

table! {
    refresh_tokens (digest) {
        digest -> Bytea,
        family -> Uuid,
        account_id -> Uuid,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
        used_with -> Nullable<Bytea>,
        successor -> Nullable<Bytea>,
    }
}

table! {
    personal_tokens (token_id) {
        token_id -> Uuid,
        account_id -> Uuid,
        name -> Text,
        digest -> Bytea,
        scopes -> Array<Text>,
        created_at -> Timestamptz,
        expires_at -> Timestamptz,
        used_at -> Nullable<Timestamptz>,
    }
}

table! {
    recovery_codes (account_id, digest) {
        account_id -> Uuid,
        digest -> Bytea,
        created_at -> Timestamptz,
        expires_at -> Nullable<Timestamptz>,
    }
}

table! {
    mail_addresses (account_id) {
        account_id -> Uuid,
        address -> Nullable<Text>,
        new_address -> Nullable<Text>,
        code -> Nullable<Bytea>,
        code_expires_at -> Nullable<Timestamptz>,
    }
}

table! {
    sent_mails (mail_id) {
        mail_id -> Uuid,
        account_id -> Uuid,
        address -> Text,
        sent_at -> Timestamptz,
        kind -> Text,
    }
}

table! {
    push_keys (id) {
        id -> Uuid,
        secret -> Bytea,
    }
}

table! {
    readiness (id) {
        id -> Bool,
        checked_at -> Timestamptz,
    }
}

table! {
    known_networks (account_id, network) {
        account_id -> Uuid,
        network -> Text,
        seen_at -> Timestamptz,
    }
}

table! {
    signing_keys (kid) {
        kid -> Text,
        secret -> Bytea,
        created_at -> Timestamptz,
    }
}

table! {
    games (game_id) {
        game_id -> Uuid,
        server_seed -> Bytea,
        kind -> Text,
        rules_version -> SmallInt,
        options -> Text,
        seats -> SmallInt,
        created_at -> Timestamptz,
        status -> Text,
        visibility -> Text,
        created_by -> Uuid,
        idempotency_key -> Nullable<Text>,
        bots -> SmallInt,
        turn_seconds -> Nullable<Integer>,
        bank_seconds -> Nullable<Integer>,
        ended_at -> Nullable<Timestamptz>,
        rematch_of -> Nullable<Uuid>,
        changed -> BigInt,
        tournament_id -> Nullable<Uuid>,
        shuffle_id -> Nullable<Uuid>,
        guest_network -> Nullable<Text>,
        empty_since -> Nullable<Timestamptz>,
        version -> Integer,
        is_rated -> Bool,
        is_void -> Bool,
        pause_wanted -> Bool,
        is_paused -> Bool,
        seconds_wanted -> Array<Integer>,
        seconds_added -> Array<Integer>,
        entrants -> SmallInt,
    }
}

table! {
    game_players (game_id, account_id) {
        game_id -> Uuid,
        account_id -> Uuid,
        place -> Nullable<SmallInt>,
        score -> Nullable<BigInt>,
        seat -> Nullable<SmallInt>,
    }
}

table! {
    participations (account_id, n) {
        account_id -> Uuid,
        n -> Integer,
        game_id -> Nullable<Uuid>,
        tournament_id -> Nullable<Uuid>,
        since -> Integer,
        until -> Nullable<Integer>,
        has_left -> Bool,
        is_invited -> Bool,
        by_others -> Bool,
    }
}

table! {
    entries (game_id, seq) {
        game_id -> Uuid,
        seq -> Integer,
        entry -> Text,
        hash -> Bytea,
        caller -> Nullable<Uuid>,
        idempotency_key -> Nullable<Text>,
        request -> Nullable<Bytea>,
        answer -> Nullable<Integer>,
    }
}

table! {
    archives (file) {
        file -> Text,
        month -> Text,
        digest -> Bytea,
        archived_at -> Timestamptz,
    }
}

table! {
    archived_games (game_id) {
        game_id -> Uuid,
        file -> Text,
        position -> BigInt,
        length -> Integer,
        digest -> Nullable<Bytea>,
    }
}

table! {
    reviews (game_id, subject) {
        game_id -> Uuid,
        subject -> Text,
        method -> Text,
        review -> Text,
        computed_at -> Timestamptz,
    }
}

table! {
    snapshots (game_id) {
        game_id -> Uuid,
        seq -> Integer,
        build -> Text,
        state -> Bytea,
    }
}

table! {
    deadlines (game_id) {
        game_id -> Uuid,
        due_at -> Timestamptz,
        version -> Integer,
    }
}

table! {
    service (id) {
        id -> Bool,
        last_seen -> Timestamptz,
        expired_at -> Timestamptz,
    }
}

table! {
    outages (since) {
        since -> Timestamptz,
        until -> Timestamptz,
    }
}

table! {
    tournaments (tournament_id) {
        tournament_id -> Uuid,
        server_seed -> Bytea,
        name -> Text,
        kind -> Text,
        status -> Text,
        entrants -> Integer,
        round -> SmallInt,
        created_by -> Uuid,
        created_at -> Timestamptz,
        idempotency_key -> Nullable<Text>,
        recounted -> Integer,
        is_paused -> Bool,
        is_unsettled -> Bool,
        present -> Integer,
        arena_ends_at -> Nullable<Timestamptz>,
        starts_at -> Nullable<Timestamptz>,
    }
}

table! {
    tournament_log (tournament_id, seq) {
        tournament_id -> Uuid,
        seq -> Integer,
        entry -> Text,
        caller -> Nullable<Uuid>,
        idempotency_key -> Nullable<Text>,
        request -> Nullable<Bytea>,
        answer -> Nullable<Integer>,
    }
}

table! {
    tournament_hands (tournament_id, game_id, seq) {
        tournament_id -> Uuid,
        game_id -> Uuid,
        seq -> Integer,
        at -> Timestamptz,
        hand -> Integer,
        scores -> Array<BigInt>,
        awards -> Nullable<Text>,
        places -> Nullable<Array<SmallInt>>,
        missed -> Nullable<Array<SmallInt>>,
    }
}

table! {
    rating_history (account_id, kind, n) {
        account_id -> Uuid,
        kind -> Text,
        n -> BigInt,
        game_id -> Uuid,
        ended_at -> Timestamptz,
        rating -> Double,
    }
}

table! {
    unrated_games (game_id) {
        game_id -> Uuid,
        due_at -> Timestamptz,
    }
}

table! {
    rated_games (n) {
        n -> BigInt,
        game_id -> Uuid,
    }
}

table! {
    ratings (account_id, kind, period) {
        account_id -> Uuid,
        kind -> Text,
        period -> Text,
        rating -> Double,
        mu -> Double,
        sigma -> Double,
        games -> Integer,
        wins -> Integer,
        hands -> BigInt,
        streak -> Integer,
        best_streak -> Integer,
        counters -> Jsonb,
    }
}

table! {
    ratings_to_delete (account_id) {
        account_id -> Uuid,
    }
}

table! {
    webhooks (webhook_id) {
        webhook_id -> Uuid,
        account_id -> Uuid,
        url -> Text,
        events -> Nullable<Array<Text>>,
        created_at -> Timestamptz,
        checkpoint -> Text,
        deliveries -> Integer,
        failing_since -> Nullable<Timestamptz>,
        disabled_at -> Nullable<Timestamptz>,
        disabled_reason -> Nullable<Text>,
        revision -> Integer,
        holder -> Nullable<Uuid>,
        push_key -> Nullable<Bytea>,
        push_auth -> Nullable<Bytea>,
        is_disabled_told -> Bool,
        session -> Nullable<Uuid>,
    }
}

table! {
    webhook_secrets (id) {
        id -> Uuid,
        webhook_id -> Uuid,
        secret -> Bytea,
        expires_at -> Nullable<Timestamptz>,
    }
}

table! {
    webhook_deliveries (webhook_id, n) {
        webhook_id -> Uuid,
        n -> Integer,
        message_id -> Text,
        message_type -> Text,
        body -> Text,
        created_at -> Timestamptz,
        status -> Text,
        attempts -> SmallInt,
        next_attempt_at -> Nullable<Timestamptz>,
        attempted_at -> Timestamptz,
        took_ms -> Integer,
        response_status -> Nullable<SmallInt>,
        response -> Nullable<Text>,
        error -> Nullable<Text>,
    }
}

table! {
    webhook_holders (holder) {
        holder -> Uuid,
        expires_at -> Timestamptz,
    }
}

table! {
    series (series_id) {
        series_id -> Uuid,
        account_id -> Uuid,
        name -> Text,
        description -> Nullable<Text>,
        points -> Text,
        best -> Nullable<SmallInt>,
        created_at -> Timestamptz,
        idempotency_key -> Nullable<Text>,
        request -> Nullable<Bytea>,
    }
}

table! {
    series_tournaments (series_id, tournament_id) {
        series_id -> Uuid,
        tournament_id -> Uuid,
    }
}

table! {
    tournament_finals (tournament_id) {
        tournament_id -> Uuid,
        version -> Integer,
        recounted -> Integer,
        finals -> Text,
    }
}

table! {
    /// A view. Its columns are never null, which PostgreSQL does not know of views.
    concealed_games (game_id) {
        game_id -> Uuid,
    }
}

joinable!(game_players -> games (game_id));
allow_tables_to_appear_in_same_query!(
    games,
    game_players,
    participations,
    accounts,
    entries,
    tournaments,
    concealed_games,
);
allow_tables_to_appear_in_same_query!(known_networks, accounts);
allow_tables_to_appear_in_same_query!(refresh_tokens, accounts);
allow_tables_to_appear_in_same_query!(personal_tokens, accounts);
allow_tables_to_appear_in_same_query!(recovery_codes, accounts);
allow_tables_to_appear_in_same_query!(webhooks, accounts);
allow_tables_to_appear_in_same_query!(mail_addresses, accounts);
allow_tables_to_appear_in_same_query!(series, series_tournaments, accounts);
